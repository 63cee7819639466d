// One that can't be had keeps its place, with its name.
document.addEventListener("error", (event) => {
  if (event.target.matches && event.target.matches(".pic img, .linkcard img, .th img")) event.target.classList.add("lost");
}, true);
