// Made by vite.tables.config.ts of the engraver's module: the same code, and its WebAssembly packed as text.
declare module "virtual:engraver" {
  export default function create(options: { wasm: Uint8Array }): Promise<unknown>;
  export const packed: string;
}
