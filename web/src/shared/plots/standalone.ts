/** An SVG element of the page as a document that stands by itself. */
import { pngOfCanvas } from "./save";

const KEPT = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "letter-spacing",
  "text-anchor",
] as const;

/** Styles of the page's sheets become attributes; variables are replaced by their values. */
export function standalone(element: SVGSVGElement, variables: Record<string, string>): string {
  const copy = element.cloneNode(true) as SVGSVGElement;
  const originals = [element, ...element.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((node, index) => {
    const original = originals[index];
    if (original === undefined) return;
    const style = getComputedStyle(original);
    for (const name of KEPT) {
      const value = style.getPropertyValue(name);
      if (value !== "") node.setAttribute(name, value);
    }
    node.removeAttribute("class");
    node.removeAttribute("style");
  });
  const { width, height } = element.getBoundingClientRect();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  for (const name of ["role", "tabindex", "aria-label"]) copy.removeAttribute(name);
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", variables["--weir-ground"] ?? "#fff");
  copy.prepend(ground);
  return new XMLSerializer()
    .serializeToString(copy)
    .replace(/var\((--[\w-]+)\)/g, (whole, name: string) => variables[name] ?? whole);
}

/** An SVG document as a PNG of twice its size. */
export async function rasterOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * image.width;
  canvas.height = 2 * image.height;
  const context = canvas.getContext("2d");
  context?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return pngOfCanvas(canvas);
}
