import { checkConnection, isConnected, onReconnected } from './connection.ts'

/** Loads the code of a screen or dialog, waiting for a connection if offline. It does not try before, because browsers cache failed imports. */
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
