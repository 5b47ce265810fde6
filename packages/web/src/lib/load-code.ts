import { checkConnection, isConnected, onReconnected } from './connection.ts'

/**
 * Loads the code of a screen or dialog; without a connection it waits for one, instead of breaking the page. It does not
 * try before: a browser keeps a failed import.
 */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  if (!isConnected() && !(await checkConnection())) await reconnection()
  return load()
}

function reconnection(): Promise<void> {
  return new Promise((resume) => {
    const end = onReconnected(() => {
      end()
      resume()
    })
  })
}
