import { type MessageReading, readFile } from './message-files.ts'
import type { Row } from './objects.ts'
import type { RcsCard, RcsContent, RcsMedia } from './rcs-content.ts'
import { invalid } from './rbm-error.ts'
import { needExactlyOne, needOneOf, needRow, readList, readOneOf, readRow, readText, requireKnown } from './reading.ts'
import { readSuggestions } from './suggestions.ts'

const mostTitle = 200
const mostDescription = 2000
const mostSuggestions = 4
const cardCounts = { least: 2, most: 10 }

export function readRichCard(reading: MessageReading, row: Row): Pick<RcsContent, 'card' | 'carousel'> {
  const path = 'contentMessage.richCard'
  requireKnown(row, ['standaloneCard', 'carouselCard'], path)
  const kind = needExactlyOne(row, ['standaloneCard', 'carouselCard'], path)
  const given = needRow({ row, name: kind, path })
  return kind === 'standaloneCard'
    ? { card: readStandalone(reading, given, `${path}.${kind}`) }
    : { carousel: readCarousel(reading, given, `${path}.${kind}`) }
}

function readStandalone(reading: MessageReading, row: Row, path: string): NonNullable<RcsContent['card']> {
  requireKnown(row, ['cardOrientation', 'thumbnailImageAlignment', 'cardContent'], path)
  const orientation = needOneOf({ row, name: 'cardOrientation', path }, ['VERTICAL', 'HORIZONTAL'])
  const alignment = readOneOf({ row, name: 'thumbnailImageAlignment', path }, ['LEFT', 'RIGHT'])
  const content = needRow({ row, name: 'cardContent', path })
  const card = readCard(content, { reading, path: `${path}.cardContent`, needsHeight: orientation === 'VERTICAL' })
  if (orientation === 'HORIZONTAL' && alignment === undefined && card.media)
    throw invalid(`${path}.thumbnailImageAlignment`, 'is required for a horizontal card with media')
  return { ...card, orientation, alignment: alignment ?? 'LEFT' }
}

function readCarousel(reading: MessageReading, row: Row, path: string): NonNullable<RcsContent['carousel']> {
  requireKnown(row, ['cardWidth', 'cardContents'], path)
  const width = needOneOf({ row, name: 'cardWidth', path }, ['SMALL', 'MEDIUM'])
  const contents = readList({ row, name: 'cardContents', path }) ?? []
  if (contents.length < cardCounts.least || contents.length > cardCounts.most)
    throw invalid(
      `${path}.cardContents`,
      `must have ${cardCounts.least} to ${cardCounts.most} entries, and has ${contents.length}`,
    )
  const cards = contents.map((content, index) =>
    readCard(content, { reading, path: `${path}.cardContents[${index}]`, needsHeight: true }),
  )
  const tall = cards.findIndex(({ media }) => media?.height === 'TALL')
  if (width === 'SMALL' && tall >= 0)
    throw invalid(`${path}.cardContents[${tall}].media.height`, 'must not be TALL in cards of width SMALL')
  return { width, cards }
}

type CardReading = { reading: MessageReading; path: string; needsHeight: boolean }

function readCard(row: Row, { reading, path, needsHeight }: CardReading): RcsCard {
  requireKnown(row, ['title', 'description', 'media', 'suggestions'], path)
  const title = readText({ row, name: 'title', path }, mostTitle)
  const description = readText({ row, name: 'description', path }, mostDescription)
  const given = readRow({ row, name: 'media', path })
  const media = given && readMedia(given, { reading, path: `${path}.media`, needsHeight })
  if (!title && !description && !media) throw invalid(path, 'must have a title, a description or media')
  return {
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    ...(media ? { media } : {}),
    suggestions: readSuggestions(row, { path, most: mostSuggestions }),
  }
}

function readMedia(row: Row, { reading, path, needsHeight }: CardReading): RcsMedia {
  requireKnown(row, ['height', 'contentInfo', 'uploadedRbmFile', 'fileName', 'contentDescription'], path)
  const place = { row, name: 'height', path }
  const heights = ['SHORT', 'MEDIUM', 'TALL'] as const
  const height = needsHeight ? needOneOf(place, heights) : readOneOf(place, heights)
  const description = readText({ row, name: 'contentDescription', path })
  return {
    ...readFile(reading, row, path),
    ...(height === undefined ? {} : { height }),
    ...(description === undefined ? {} : { description }),
  }
}
