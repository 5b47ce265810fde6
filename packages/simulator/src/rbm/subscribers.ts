const typingMs = 20_000
const promotionWindowMs = 28 * 24 * 3_600_000

type Relation = {
  isUnsubscribed: boolean
  typingUntilMs: number
  /** Promotions since the person last wrote. */
  promotedAtMs: number[]
}

/** What agent and person have agreed, per pair. */
export type Subscribers = {
  isUnsubscribed: (agentId: string, number: string) => boolean
  setUnsubscribed: (pair: Pair, isUnsubscribed: boolean) => void
  showTyping: (pair: Pair) => void
  hideTyping: (agentId: string, number: string) => void
  isTyping: (agentId: string, number: string) => boolean
  /** The person wrote: promotions are counted anew. */
  wrote: (pair: Pair) => void
  /** Whether the limit of promotions allows one more, which is then counted. */
  countPromotion: (pair: Pair, most: number) => boolean
  clear: () => void
}

export type Pair = { agentId: string; number: string }

export function createSubscribers(): Subscribers {
  const relations = new Map<string, Relation>()

  const find = (agentId: string, number: string) => relations.get(`${agentId} ${number}`)
  function save({ agentId, number }: Pair): Relation {
    const relation = find(agentId, number) ?? { isUnsubscribed: false, typingUntilMs: 0, promotedAtMs: [] }
    relations.set(`${agentId} ${number}`, relation)
    return relation
  }

  return {
    isUnsubscribed: (agentId, number) => find(agentId, number)?.isUnsubscribed ?? false,
    setUnsubscribed(pair, isUnsubscribed) {
      save(pair).isUnsubscribed = isUnsubscribed
    },
    showTyping(pair) {
      save(pair).typingUntilMs = Date.now() + typingMs
    },
    hideTyping(agentId, number) {
      const relation = find(agentId, number)
      if (relation) relation.typingUntilMs = 0
    },
    isTyping: (agentId, number) => (find(agentId, number)?.typingUntilMs ?? 0) > Date.now(),
    wrote(pair) {
      save(pair).promotedAtMs = []
    },
    countPromotion(pair, most) {
      const relation = save(pair)
      const now = Date.now()
      relation.promotedAtMs = relation.promotedAtMs.filter((at) => at > now - promotionWindowMs)
      if (relation.promotedAtMs.length >= most) return false
      relation.promotedAtMs.push(now)
      return true
    },
    clear: () => relations.clear(),
  }
}
