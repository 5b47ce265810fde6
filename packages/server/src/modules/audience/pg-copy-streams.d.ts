declare module 'pg-copy-streams' {
  import type { Writable } from 'node:stream'
  import type { Submittable } from 'pg'

  /** A COPY … FROM STDIN for `client.query`; data written to it is sent to the server. */
  export function from(statement: string): Writable & Submittable
}
