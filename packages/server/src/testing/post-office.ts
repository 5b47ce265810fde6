import { createServer, type AddressInfo, type Socket } from 'node:net'

/** A mail server: received mails and prepared rejections. */
export type PostOffice = {
  url: string
  port: number
  received: string[]
  /** Rejections, consumed one per refused sender, first in first out. */
  refusals: string[]
  /** Accepts connections and never responds. */
  isSilent: boolean
  close(): void
}

export async function openPostOffice(): Promise<PostOffice> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    talk(post, socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  const post: PostOffice = {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received: [],
    refusals: [],
    isSilent: false,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
  return post
}

/** The subset of SMTP needed to receive a mail. */
function talk(post: PostOffice, socket: Socket) {
  let isData = false
  let text = ''
  const say = (line: string) => socket.write(`${line}\r\n`)
  if (!post.isSilent) say('220 post.example')
  socket.setEncoding('utf8')
  socket.on('error', () => undefined)
  socket.on('data', (piece: string) => {
    text += piece
    for (let end = text.indexOf('\r\n'); !isData && end >= 0; end = text.indexOf('\r\n')) {
      const [command = ''] = text.slice(0, end).split(' ')
      text = text.slice(end + 2)
      const refusal = command === 'MAIL' ? post.refusals.shift() : undefined
      if (refusal) say(refusal)
      else if (command === 'DATA') {
        isData = true
        say('354 Go on')
      } else say(command === 'QUIT' ? '221 Bye' : '250 Fine')
    }
    const end = text.indexOf('\r\n.\r\n')
    if (!isData || end < 0) return
    post.received.push(text.slice(0, end))
    text = text.slice(end + 5)
    isData = false
    say('250 Taken')
  })
}
