// Of a strip of links that is wider than the screen, the current one is in view.
export const startTabs = () => {
  for (const current of document.querySelectorAll(".tabs [aria-current]")) {
    const strip = current.parentElement;
    strip.scrollLeft = current.offsetLeft - strip.offsetLeft - (strip.clientWidth - current.offsetWidth) / 2;
  }
};
