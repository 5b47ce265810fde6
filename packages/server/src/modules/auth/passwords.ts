import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { assertNoConnectionHeld } from '../../db/one-connection.ts'
import { Problem } from '../../lib/problem.ts'

const derive = promisify(argon2)

// OWASP's minimum for argon2id: 19 MiB, two passes, one lane.
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** Each hash takes 19 MiB and a core. Requests beyond the queue are rejected, so that guessing cannot exhaust the server. */
const mostRunning = 2
const mostWaiting = 60
/** Maximum of these per address or account. */
const mostPerCaller = 30

let running = 0
const waiting: (() => void)[] = []
const callers = new Map<string, number>()

/** Stored as `argon2id$memory$passes$salt$hash`, so that the cost can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await queued(() => derive('argon2id', { ...cost, message: password, nonce: salt }))
  return format(salt, hash)
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
  const hash = await queued(() => derive('argon2id', parameters))
  return timingSafeEqual(hash, Buffer.from(expected, 'hex'))
}

/** A hash that matches no password, to keep the response time the same. */
export const unmatchedHash = format(randomBytes(16), randomBytes(cost.tagLength))

/** For calls that hash: rejects immediately, before any query, if the queue is full or the caller has used its share. */
export async function withPasswordTurn<Result>(caller: string, work: () => Promise<Result>): Promise<Result> {
  const inProgress = callers.get(caller) ?? 0
  if (inProgress >= mostPerCaller || waiting.length >= mostWaiting) throw tooMany()
  callers.set(caller, inProgress + 1)
  try {
    return await work()
  } finally {
    const left = (callers.get(caller) ?? 1) - 1
    if (left === 0) callers.delete(caller)
    else callers.set(caller, left)
  }
}

async function queued<Result>(work: () => Promise<Result>): Promise<Result> {
  assertNoConnectionHeld('A password was hashed')
  if (running < mostRunning) running += 1
  else {
    if (waiting.length >= mostWaiting) throw tooMany()
    // A finished call passes its slot to the next one, so `running` stays the same.
    await new Promise<void>((resume) => waiting.push(resume))
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

function tooMany(): Problem {
  return new Problem('too_many_requests', 'Too many passwords are being checked: try again in a few seconds', {
    retryAfter: 3,
  })
}

function format(salt: Buffer, hash: Buffer): string {
  return ['argon2id', cost.memory, cost.passes, salt.toString('hex'), hash.toString('hex')].join('$')
}
