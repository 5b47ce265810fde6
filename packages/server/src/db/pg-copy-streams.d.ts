declare module 'pg-copy-streams' {
  import type { Readable, Writable } from 'node:stream'
  import type { Submittable } from 'pg'

  /** A COPY … FROM STDIN for `client.query`; data written to it is sent to the server. */
  export function from(statement: string): Writable & Submittable

  /** A COPY … TO STDOUT for `client.query`. */
  export function to(statement: string): Readable & Submittable
}
