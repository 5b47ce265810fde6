import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

// OWASP's argon2id minimum: 19 MiB, two passes, one lane.
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const concurrent = 2

let running = 0
const waiting: (() => void)[] = []

/** Stored as `argon2id$memory$passes$salt$hash`, so that the cost can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await limited(() => derive('argon2id', { ...cost, message: password, nonce: salt }))
  return ['argon2id', cost.memory, cost.passes, salt.toString('hex'), hash.toString('hex')].join('$')
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, memory, passes, salt, expected] = stored.split('$')
  if (!memory || !passes || !salt || !expected) return false
  const parameters = {
    ...cost,
    memory: Number(memory),
    passes: Number(passes),
    message: password,
    nonce: Buffer.from(salt, 'hex'),
  }
  const hash = await limited(() => derive('argon2id', parameters))
  return timingSafeEqual(hash, Buffer.from(expected, 'hex'))
}

/** Each hash takes 19 MiB and a core: two at once, the others queue, so that guessing cannot starve the product. */
async function limited<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= concurrent) await new Promise<void>((resume) => waiting.push(resume))
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
    waiting.shift()?.()
  }
}
