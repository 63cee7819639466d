// One that can't be had leaves its place to the words beside it.
document.addEventListener("error", (event) => {
  if (event.target.matches && event.target.matches(".linkcard img, .th img")) event.target.classList.add("lost");
}, true);
