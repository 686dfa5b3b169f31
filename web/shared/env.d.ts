/// <reference types="vite/client" />

// What the page uses of the engraver, which comes without types.
declare module "verovio/esm" {
  export class VerovioToolkit {
    constructor(module: unknown);
    setOptions(options: Record<string, unknown>): void;
    loadData(data: string): boolean;
    renderToSVG(page: number): string;
  }
  export const LOG_ERROR: number;
  export function enableLog(level: number, module: unknown): void;
}
declare module "verovio/wasm?url" {
  const url: string;
  export default url;
}
declare module "*?worker&url" {
  const url: string;
  export default url;
}
