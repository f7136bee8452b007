const numbers = (text: string): number[] => (text.match(/-?[\d.]+/g) ?? []).map(Number);

/** The texts of a plot as SVG, and where they stand, px. */
export function textsIn(svg: string): { text: string; x: number; y: number }[] {
  return [...svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)].map(
    ([, attributes = "", text = ""]) => {
      const [across = 0, down = 0] = numbers(/translate\(([^)]*)\)/.exec(attributes)?.[1] ?? "");
      const [x = 0] = numbers(/ x="([^"]*)"/.exec(attributes)?.[1] ?? "0");
      const [y = 0] = numbers(/ y="([^"]*)"/.exec(attributes)?.[1] ?? "0");
      return { text, x: across + x, y: down + y };
    },
  );
}
