// One live region: quiet says it to screen readers only.
let clearing;
export const say = (text, quiet) => {
  const toast = document.getElementById("toast");
  if (!toast) return;
  toast.classList.toggle("quiet", Boolean(quiet));
  toast.textContent = text;
  clearTimeout(clearing);
  clearing = setTimeout(() => { toast.textContent = ""; }, quiet ? 2000 : 6000);
};
