import { numberArray, run, textArray, type OnInbound, type Statement } from '../../messages/index.ts'

/** How long after the question a number is a rating. */
const openHours = 72

/** The oldest open question of each conversation is answered, if there is one. */
const rate: Statement = {
  name: 'rate-conversations',
  text: `
  with rated as (
    update ratings set stars = answer.stars, rated_at = answer.at
    from (
      select distinct on (input.conversation_id) input.stars, input.at, asked.organization_id, asked.id, input.conversation_id, input.message_id
      from unnest($1::uuid[], $2::uuid[], $3::int[], $4::timestamptz[], $5::uuid[])
        as input (organization_id, conversation_id, stars, at, message_id)
      join ratings asked on asked.organization_id = input.organization_id and asked.conversation_id = input.conversation_id and asked.rated_at is null
        and asked.asked_at > now() - interval '${openHours} hours' and input.at >= asked.asked_at - interval '1 minute'
      order by input.conversation_id, asked.asked_at desc, input.at
    ) answer
    where ratings.organization_id = answer.organization_id and ratings.id = answer.id
    returning ratings.organization_id, ratings.conversation_id, ratings.account_id, ratings.stars, ratings.rated_at, answer.message_id
  ), noted as (
    insert into conversation_events (organization_id, conversation_id, id, kind, details)
    select organization_id, conversation_id, gen_random_uuid(), 'rated', jsonb_build_object('stars', stars::text) from rated
  ), counted as (
    insert into agent_facts (organization_id, account_id, at, kind, conversation_id, seconds)
    select organization_id, account_id, rated_at, 'rating', conversation_id, stars from rated
  )
  select message_id as "messageId" from rated`,
}

/** Records answers to questions for a rating; returns the ids of these messages, which need no answer. */
export async function recordRatings(...[db, stored]: Parameters<OnInbound>): Promise<ReadonlySet<string>> {
  const candidates = stored.flatMap((message) => {
    const stars = readStars(message.text)
    return stars === undefined ? [] : [{ ...message, stars }]
  })
  if (candidates.length === 0) return new Set()
  const rows = await run<{ messageId: string }>(db, rate, [
    textArray(candidates.map(({ organizationId }) => organizationId)),
    textArray(candidates.map(({ conversationId }) => conversationId)),
    numberArray(candidates.map(({ stars }) => stars)),
    textArray(candidates.map(({ at }) => at.toISOString())),
    textArray(candidates.map(({ id }) => id)),
  ])
  return new Set(rows.map(({ messageId }) => messageId))
}

/** A digit from 1 to 5 at the start of a short text, such as "5" or "4 stars", or as many star emoji. */
export function readStars(text: string): number | undefined {
  const short = text.trim()
  const stars = /^(?:⭐️?){1,5}$/u.exec(short)
  if (stars) return short.match(/⭐/gu)?.length
  const digit = /^([1-5])(?:\s*\/\s*5|[\s.!-]+\p{L}[\p{L}\p{M}\s]{0,20}|[.!]?)$/u.exec(short)?.[1]
  return digit === undefined ? undefined : Number(digit)
}
