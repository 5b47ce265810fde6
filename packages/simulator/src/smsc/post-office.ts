import type { Account } from '../accounts.ts'
import type { Simulation } from '../simulation.ts'
import { statuses } from './pdu.ts'
import { type Delivery, hasRoom, mayReceive, sendDelivery, type Session } from './session.ts'

/**
 * Sends deliver_sm to the binds of an account that can receive, and stores each until its response has status 0. Without such a
 * bind they stay queued, across any number of reconnects.
 */
export type PostOffice = {
  post: (account: Account, delivery: Delivery) => void
  dispatch: (account: Account) => void
  answered: (session: Session, answer: { sequence: number; status: number }) => void
  /** Moves unanswered deliveries to another connection. */
  reclaim: (session: Session) => void
  reclaimOverdue: (session: Session) => void
  waiting: (account: Account) => number
  clear: () => void
}

type Queue = { again: Delivery[]; fresh: Delivery[]; head: number; turn: number }

export function createPostOffice(
  simulation: Simulation,
  sessionsOf: (account: Account) => readonly Session[],
): PostOffice {
  const queues = new Map<Account, Queue>()

  function queueOf(account: Account): Queue {
    const queue = queues.get(account) ?? { again: [], fresh: [], head: 0, turn: 0 }
    queues.set(account, queue)
    return queue
  }

  function dispatch(account: Account) {
    const queue = queueOf(account)
    const receivers = sessionsOf(account).filter(mayReceive)
    for (;;) {
      const session = nextWithRoom(receivers, queue)
      const delivery = session && take(queue)
      if (!delivery) return
      simulation.counts.reportsSent += 1
      sendDelivery(session, delivery)
    }
  }

  /** Requeues a delivery unless it reached the maximum attempts. */
  function again(account: Account, delivery: Delivery) {
    if (delivery.attempts < account.deliverAttempts) {
      queueOf(account).again.push(delivery)
      return
    }
    simulation.counts.reportsGivenUp += 1
    delivery.done?.()
  }

  return {
    post(account, delivery) {
      queueOf(account).fresh.push(delivery)
      dispatch(account)
    },
    dispatch,
    answered(session, { sequence, status }) {
      const { account } = session
      const sent = session.awaiting.get(sequence)
      if (!sent || !account) return
      session.awaiting.delete(sequence)
      if (status === statuses.temporaryError) {
        simulation.scheduler.after(account.deliverRetryMs, () => {
          again(account, sent.delivery)
          dispatch(account)
        })
      } else {
        simulation.counts.reportsAnswered += 1
        sent.delivery.done?.()
      }
      dispatch(account)
    },
    reclaim(session) {
      if (!session.account) return
      for (const { delivery } of session.awaiting.values()) again(session.account, delivery)
      session.awaiting.clear()
      dispatch(session.account)
    },
    reclaimOverdue(session) {
      const { account } = session
      if (!account) return
      const overdue = Date.now() - account.deliverTimeoutMs
      // In send order, so the first recent entry ends the search.
      for (const [sequence, { delivery, sentAt }] of session.awaiting) {
        if (sentAt > overdue) break
        session.awaiting.delete(sequence)
        again(account, delivery)
      }
      dispatch(account)
    },
    waiting(account) {
      const queue = queueOf(account)
      return queue.again.length + queue.fresh.length - queue.head
    },
    clear: () => queues.clear(),
  }
}

function nextWithRoom(receivers: Session[], queue: Queue): Session | undefined {
  for (let tried = 0; tried < receivers.length; tried += 1) {
    queue.turn = (queue.turn + 1) % receivers.length
    const session = receivers[queue.turn]
    if (session && hasRoom(session)) return session
  }
  return undefined
}

function take(queue: Queue): Delivery | undefined {
  const repeated = queue.again.shift()
  if (repeated) return repeated
  const delivery = queue.fresh[queue.head]
  if (!delivery) return undefined
  queue.head += 1
  if (queue.head >= 4096 || queue.head === queue.fresh.length) {
    queue.fresh.splice(0, queue.head)
    queue.head = 0
  }
  return delivery
}
