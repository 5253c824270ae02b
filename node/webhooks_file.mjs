// The compiled rules from the file beside this one.

export async function compiled() {
  const place = new URL('./webhooks.wasm', import.meta.url);
  if (place.protocol !== 'file:') return WebAssembly.compileStreaming(fetch(place));
  const { readFile } = await import('node:fs/promises');
  return WebAssembly.compile(await readFile(place));
}
