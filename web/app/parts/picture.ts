// The engraved picture as a file. It is drawn by the page, so no server has to have an engraver.

const kPngScale = 3;

/** A copy that stands alone: black on white, whatever the page looks like. */
function standing(svg: SVGSVGElement): { text: string; width: number; height: number } {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.removeAttribute("aria-hidden");
  copy.removeAttribute("focusable");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  for (const note of copy.querySelectorAll(".match, .other, .sounding")) note.classList.remove("match", "other", "sounding");
  const width = Number(copy.getAttribute("width"));
  const height = Number(copy.getAttribute("height"));
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const fileName = (id: string, ending: string): string => `${id.replace(/[^\w.-]+/g, "_")}.${ending}`;

export const saveSvg = (svg: SVGSVGElement, id: string): void =>
  save(new Blob([standing(svg).text], { type: "image/svg+xml" }), fileName(id, "svg"));

export async function savePng(svg: SVGSVGElement, id: string): Promise<void> {
  const { text, width, height } = standing(svg);
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * kPngScale;
  canvas.height = height * kPngScale;
  const brush = canvas.getContext("2d");
  if (!brush) return;
  brush.fillStyle = "white";
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  canvas.toBlob((blob) => blob && save(blob, fileName(id, "png")), "image/png");
}
