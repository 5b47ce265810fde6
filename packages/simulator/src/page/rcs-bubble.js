import { button, element, icon, time, withLinks } from './dom.js'

export const suggestionIcons = {
  dial: 'call',
  url: 'link',
  view_location: 'place',
  share_location: 'place',
  calendar: 'calendar',
}

/** One message on the phone: text, file, location, card or carousel, and its time. */
export function bubble(message, context) {
  const { rcs = {}, direction, at } = message
  const who = direction === 'received' ? context.name : 'You'
  return element(
    'article',
    { className: `rcs-message ${direction}`, 'aria-label': `${who}, ${time.format(new Date(at))}` },
    ...contents(message, rcs, context),
    element('time', { className: 'rcs-time', text: time.format(new Date(at)) }),
  )
}

function contents(message, { text, media, place, card: single, carousel: several }, context) {
  if (single) return [card(single, { message, context, first: 0, className: 'rcs-card is-single' })]
  if (several) return [carousel(message, several, context)]
  if (media) return [file(media)]
  if (place) return [location(place)]
  return [element('div', { className: 'rcs-bubble' }, ...withLinks(text ?? message.text))]
}

/** Its suggestions stay, unlike those below a message. `first` is the position of the first one within the message. */
function card(
  { title, description, media, suggestions, orientation, alignment },
  { message, context, first, className },
) {
  const words = [
    ...(title ? [element('h4', { text: title })] : []),
    ...(description ? [element('p', {}, ...withLinks(description))] : []),
  ]
  const actions = suggestions.map((suggestion, index) =>
    action(message, suggestion, { ...context, index: first + index }),
  )
  const isSideways = orientation === 'HORIZONTAL'
  return element(
    'div',
    { className: `${className}${isSideways ? ` is-horizontal is-${alignment.toLowerCase()}` : ''}` },
    ...(media ? [picture(media, `rcs-media is-${(media.height ?? 'medium').toLowerCase()}`)] : []),
    element(
      'div',
      { className: 'rcs-card-body' },
      ...(words.length > 0 ? [element('div', { className: 'rcs-words' }, ...words)] : []),
      ...(actions.length > 0 ? [element('div', { className: 'rcs-actions' }, ...actions)] : []),
    ),
  )
}

function action(message, suggestion, { tapped, onTap, index }) {
  const isTapped = tapped.includes(suggestion.postbackData)
  const made = button({ className: isTapped ? 'rcs-action is-tapped' : 'rcs-action' }, () => {
    void onTap(message, suggestion, index)
  })
  const name = suggestionIcons[suggestion.kind]
  if (name) made.append(icon(name))
  made.append(element('span', { text: suggestion.text }))
  if (isTapped) made.setAttribute('aria-label', `${suggestion.text}, chosen`)
  return made
}

/** Cards of equal height side by side; moved by touch, wheel, arrow keys and two buttons. */
function carousel(message, { width, cards }, context) {
  let first = 0
  const made = cards.map((each, index) => {
    const node = card(each, { message, context, first, className: `rcs-card is-${width.toLowerCase()}` })
    first += each.suggestions.length
    node.setAttribute('role', 'group')
    node.setAttribute('aria-label', `Card ${index + 1} of ${cards.length}`)
    return node
  })
  const strip = element('div', { className: 'rcs-strip', tabindex: 0, role: 'region', 'aria-label': 'Cards' }, ...made)
  const step = (name, label, direction) => {
    const arrow = button({ className: `rcs-step is-${name}`, 'aria-label': label }, () =>
      strip.scrollBy({ left: direction * (made[0].offsetWidth + 8), behavior: 'smooth' }),
    )
    arrow.append(icon(name))
    return arrow
  }
  const back = step('back', 'Previous card', -1)
  const next = step('next', 'Next card', 1)
  const showSteps = () => {
    back.disabled = strip.scrollLeft < 4
    next.disabled = strip.scrollLeft + strip.clientWidth > strip.scrollWidth - 4
  }
  strip.addEventListener('scroll', showSteps, { passive: true })
  new ResizeObserver(showSteps).observe(strip)
  return element('div', { className: 'rcs-carousel' }, strip, back, next)
}

function sourceOf({ url, fileId }) {
  return fileId ? `/rbm/files/${fileId}` : url
}

/** A box of fixed size, so that the layout does not shift. */
function picture(media, className) {
  const source = sourceOf(media)
  if (isVideo(media))
    return element('video', {
      className,
      src: source,
      controls: true,
      preload: 'metadata',
      'aria-label': media.description ?? 'Video',
    })
  const image = element('img', {
    className,
    src: media.thumbnailUrl ?? source,
    alt: media.description ?? '',
    loading: 'lazy',
  })
  image.addEventListener('error', () => image.replaceWith(missing(className)))
  return image
}

function missing(className) {
  const tile = element('div', {
    className: `${className} is-missing`,
    role: 'img',
    'aria-label': 'Picture not available',
  })
  tile.append(icon('image'))
  return tile
}

const videos = /\.(mp4|m4v|mpeg|webm)(\?|$)/i
const pictures = /\.(jpe?g|png|gif|webp|svg)(\?|$)/i

function isVideo({ mimeType, url }) {
  return mimeType ? mimeType.startsWith('video/') : videos.test(url ?? '')
}

function file(media) {
  const source = sourceOf(media)
  const isPicture = media.mimeType ? media.mimeType.startsWith('image/') : pictures.test(source)
  if (isPicture || isVideo(media)) return picture(media, 'rcs-media rcs-file')
  const name = media.fileName ?? source.split('/').at(-1)
  const link = element('a', {
    className: 'rcs-bubble rcs-document',
    href: source,
    target: '_blank',
    rel: 'noopener noreferrer',
  })
  link.append(icon('document'), element('span', { text: decodeURIComponent(name) }))
  return link
}

function location({ latitude, longitude, label }) {
  return element(
    'div',
    { className: 'rcs-bubble rcs-place' },
    icon('place'),
    element(
      'span',
      {},
      element('b', { text: label ?? 'Location' }),
      element('small', { text: `${latitude}, ${longitude}` }),
    ),
  )
}
