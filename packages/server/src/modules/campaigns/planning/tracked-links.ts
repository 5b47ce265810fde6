import { exampleLink, linkPrefix } from '@carillon/contract/link-addresses'
import type { VariableSource } from '@carillon/contract/campaign-records'
import { blocker, type Check, type LoadedLeg, type ServerChannel, type SourceUse } from '../../../channels/channel.ts'
import { conflict } from '../../../lib/problem.ts'
import { largestSeq, type FrozenLink } from '../../links/index.ts'

/** The columns of an audience, and where the organisation's links begin. */
export type LinkPlaces = { columns: number; origin: string }

type TrackedLeg<Leg> = {
  /** With columns behind those of the audience instead of links. */
  leg: Leg
  links: FrozenLink[]
  checks: Check[]
}

/** Assigns a column to each tracked link of a leg. */
export function trackLinks<Leg extends Pick<LoadedLeg, 'template' | 'values'>>(
  leg: Leg,
  rules: Pick<ServerChannel, 'mapSources'>,
  { columns, origin }: LinkPlaces,
): TrackedLeg<Leg> {
  const links: FrozenLink[] = []
  const checks: Check[] = []
  const values = rules.mapSources(leg, (source, use) => {
    if (source.link === undefined) return source
    const { check, ...link } = linkFor(source.link, use, { column: columns + links.length, origin })
    links.push(link)
    checks.push(...check)
    return sourceOf(link, origin)
  })
  return { leg: links.length === 0 ? leg : { ...leg, values }, links, checks }
}

type Place = { column: number; origin: string }

/** The prefix is empty where the template itself has it. */
function linkFor(
  url: string,
  { name, urlPrefix }: SourceUse,
  { column, origin }: Place,
): FrozenLink & { check: Check[] } {
  const own = linkPrefix(origin)
  const check =
    urlPrefix === undefined || urlPrefix === own
      ? []
      : [
          blocker(
            'links',
            `The address of ${name} does not begin with your link domain`,
            `A tracked link there needs a template whose address begins with ${own}.`,
          ),
        ]
  return {
    column,
    prefix: urlPrefix === undefined ? own : '',
    variable: name,
    host: new URL(origin).hostname,
    // As browsers write it: without spaces and line breaks.
    url: new URL(url).href,
    check,
  }
}

const longestTrim = 200

/** All addresses have the same length, by which a message is priced. */
function sourceOf({ column, prefix }: FrozenLink, origin: string): VariableSource {
  const length = exampleLink(origin).length - linkPrefix(origin).length + prefix.length
  return { column, fallback: '', ...(length <= longestTrim ? { trimTo: length } : {}) }
}

/** Codes have room for this many recipients. */
export function assertCodesSuffice(legs: readonly { links: readonly FrozenLink[] }[], people: number): void {
  if (people > largestSeq + 1 && legs.some(({ links }) => links.length > 0))
    throw conflict(
      `Tracked links are for at most ${(largestSeq + 1).toLocaleString('en-IN')} recipients: split the audience, or leave the links out`,
    )
}
