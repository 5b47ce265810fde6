import type { FileAnswer } from './handlers.ts'

/** Stops a download when its session loses access midway. */
export function stopWhenDenied(file: FileAnswer, isAllowed: () => Promise<boolean>): FileAnswer {
  return { ...file, body: checked(file.body, isAllowed) }
}

async function* checked(
  body: AsyncIterable<Uint8Array | string>,
  isAllowed: () => Promise<boolean>,
): AsyncGenerator<Uint8Array | string> {
  for await (const piece of body) {
    if (!(await isAllowed())) throw new Error('The session lost access during the download')
    yield piece
  }
}
