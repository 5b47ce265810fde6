declare module 'pg-copy-streams' {
  import type { Writable } from 'node:stream'
  import type { Submittable } from 'pg'

  /** A COPY … FROM STDIN to hand to `client.query`; what is written to it is what the server reads. */
  export function from(statement: string): Writable & Submittable
}
