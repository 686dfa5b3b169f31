// Figures as files: an SVG that stands by itself, for a paper.

const kStyled = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "fill-opacity", "font-size", "font-family", "text-anchor"];

/** The figure as text, with every colour and font as it is now: what the page's style said goes into the elements. */
export function svgText(figure: SVGSVGElement): string {
  const copy = figure.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const originals = [figure, ...figure.querySelectorAll<SVGElement>("*")];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  originals.forEach((original, i) => {
    const target = copies[i];
    if (target === undefined || target.tagName === "style") return;
    const style = getComputedStyle(original);
    for (const name of kStyled) {
      const value = style.getPropertyValue(name);
      if (value !== "" && value !== "none" && value !== "normal") target.setAttribute(name, value);
      else if (value === "none" && (name === "fill" || name === "stroke")) target.setAttribute(name, "none");
    }
    target.removeAttribute("style");
  });
  for (const style of copy.querySelectorAll("style")) style.remove();
  return new XMLSerializer().serializeToString(copy);
}

/** Hands a text to the browser as a file. */
export function saveFile(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
