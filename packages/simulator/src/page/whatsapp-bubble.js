import { button, element, icon, time } from './dom.js'

/** One message on the phone: quoted message, media, text, time, buttons, cards and reactions. */
export function bubble(message, context) {
  const { content, direction } = message
  const { reactions, handlers } = context
  const isReceived = direction === 'received'
  const body = element('div', { className: 'wa-bubble' }, ...insides(message, context), stamp(message))
  if (isReceived) body.append(...actions(message, context))
  const both = [reactions?.mine, reactions?.theirs].filter(Boolean)
  const badge =
    both.length > 0
      ? [element('span', { className: 'wa-badge', text: both.join(''), 'aria-label': `Reactions: ${both.join(' ')}` })]
      : []
  const row = element('div', { className: 'wa-line' }, body)
  if (isReceived)
    row.append(
      tool('smile', 'React', () => handlers.react(message)),
      tool('reply', 'Reply to this message', () => handlers.quote(message)),
    )
  const cards = content.cards ? [carousel(message, context)] : []
  const who = isReceived ? context.name : 'You'
  return element(
    'article',
    { className: `wa-message ${direction}`, 'aria-label': `${who}, ${time.format(new Date(message.at))}` },
    row,
    ...cards,
    ...badge,
  )
}

function tool(name, label, onClick) {
  const made = button({ className: 'wa-tool', 'aria-label': label, title: label }, onClick)
  made.append(icon(name))
  return made
}

function insides(message, { messages, name }) {
  const { content } = message
  return [
    ...(content.quotes ? [quoted(messages, content.quotes, name)] : []),
    ...(content.header ? [header(content.header)] : []),
    ...(content.media ? [media(content.media)] : []),
    ...(content.place ? [place(content.place)] : []),
    ...(content.contacts ?? []).map(contact),
    ...(content.offer ? [offer(content.offer)] : []),
    ...(content.body ? [words(content)] : []),
    ...(content.footer ? [element('p', { className: 'wa-footer', text: content.footer })] : []),
  ]
}

function stamp({ at }) {
  return element('time', { className: 'wa-time', text: time.format(new Date(at)) })
}

function quoted(messages, id, name) {
  const found = messages.find((message) => message.id === id)
  const who = found?.direction === 'replied' ? 'You' : name
  return element(
    'blockquote',
    { className: 'wa-quoted' },
    element('b', { text: who }),
    element('span', { text: found?.text ?? 'A message that is no longer here' }),
  )
}

function header(given) {
  if (given.kind === 'text') return element('p', { className: 'wa-header' }, ...formatted(given.text))
  return given.kind === 'place' ? place(given.place) : media(given.media)
}

const names = { image: 'Photo', video: 'Video', audio: 'Voice message', document: 'Document', sticker: 'Sticker' }

/** Images and videos in a box of fixed size, so that the layout does not shift; other files are a card with their name. */
function media({ kind, id, link, fileName, mimeType }) {
  const source = id ? `/api/graph/media/${id}` : link
  if (kind === 'image' || kind === 'sticker') {
    const picture = element('img', {
      src: source,
      alt: fileName ?? names[kind],
      className: `wa-${kind}`,
      loading: 'lazy',
    })
    picture.addEventListener('error', () =>
      picture.replaceWith(card({ kind, title: names[kind], source, about: link })),
    )
    return picture
  }
  if (kind === 'video')
    return element('video', {
      src: source,
      className: 'wa-image',
      controls: true,
      preload: 'metadata',
      'aria-label': names.video,
    })
  if (kind === 'audio')
    return element('audio', { src: source, controls: true, preload: 'none', 'aria-label': names.audio })
  return card({ kind, title: fileName ?? names.document, source, about: mimeType ?? 'Document' })
}

function card({ kind, title, source, about }) {
  const made = element(
    'a',
    { className: 'wa-card', href: source, target: '_blank', rel: 'noopener noreferrer' },
    icon(kind),
    element('span', {}, element('b', { text: title }), element('small', { text: about ?? '' })),
  )
  return made
}

function place({ latitude, longitude, name, address }) {
  return element(
    'div',
    { className: 'wa-place' },
    element('div', { className: 'wa-map' }, icon('place')),
    element('b', { text: name ?? 'Location' }),
    element('small', { text: address ?? `${latitude}, ${longitude}` }),
  )
}

function contact({ name, phones, organization }) {
  return element(
    'div',
    { className: 'wa-card' },
    icon('person'),
    element(
      'span',
      {},
      element('b', { text: name }),
      element('small', { text: [organization, ...phones].filter(Boolean).join(' · ') }),
    ),
  )
}

function offer({ text, expiresAtMs }) {
  const until = expiresAtMs ? `Ends ${new Date(expiresAtMs).toLocaleString()}` : 'For a limited time'
  return element('div', { className: 'wa-offer' }, element('b', { text }), element('small', { text: until }))
}

const foldedLines = 5
const foldedLength = 320

/** Long marketing texts are collapsed, as on a phone. */
function words({ body, template }) {
  const made = element('p', { className: 'wa-text' }, ...formatted(body))
  const isLong = body.length > foldedLength || body.split('\n').length > foldedLines
  if (template?.category !== 'MARKETING' || !isLong) return made
  made.classList.add('is-folded')
  const more = button({ className: 'wa-more', text: 'Read more' }, () => {
    made.classList.remove('is-folded')
    more.remove()
  })
  return element('div', {}, made, more)
}

const marks = { '*': 'strong', _: 'em', '~': 's' }

/** Formats *bold*, _italic_, ~strike~, ```mono``` and links as nodes, never as HTML. */
export function formatted(text) {
  const pieces = text.split(
    /(```[\s\S]+?```|https?:\/\/[^\s<>"]+|(?<![\p{L}\p{N}])([*_~])(?=\S)(?:[^\n]*?\S)\2(?![\p{L}\p{N}]))/u,
  )
  return pieces
    .filter((piece, index) => index % 3 !== 2 && piece !== undefined && piece !== '')
    .map((piece) => {
      if (piece.startsWith('```') && piece.length > 6) return element('code', { text: piece.slice(3, -3) })
      if (/^https?:\/\//.test(piece))
        return element('a', { text: piece, href: piece, target: '_blank', rel: 'noopener noreferrer' })
      const mark = marks[piece[0]]
      if (!mark || piece.length < 3 || piece.at(-1) !== piece[0]) return piece
      return element(mark, {}, ...formatted(piece.slice(1, -1)))
    })
}

const icons = {
  url: 'link',
  phone_number: 'call',
  copy_code: 'copy',
  otp: 'copy',
  quick_reply: 'reply',
  reply: 'reply',
  flow: 'flow',
  location: 'place',
}

const shownButtons = 3

/** Up to three buttons; with more, the first two and a button that shows all. */
function actions(message, { taps, handlers }) {
  const { buttons = [], list } = message.content
  const options = buttons.map((each, index) => ({ ...each, index }))
  const made = (options.length > shownButtons ? options.slice(0, 2) : options).map((option) =>
    action(option.text, icons[option.kind] ?? 'list', {
      isTapped: taps.has(`${message.id} ${option.payload ?? option.text}`),
      onTap: () => void handlers.tap(message, option),
    }),
  )
  if (options.length > shownButtons)
    made.push(
      action('See all options', 'list', { onTap: () => handlers.choose(message, 'All options', [{ options }]) }),
    )
  if (list) {
    const groups = list.sections.map(({ title, rows }) => ({
      title,
      options: rows.map(({ id, title: text, description }) => ({ row: id, text, description })),
    }))
    made.push(action(list.button, 'list', { onTap: () => handlers.choose(message, list.button, groups) }))
  }
  return made.length > 0 ? [element('div', { className: 'wa-actions' }, ...made)] : []
}

function action(text, name, { isTapped = false, onTap }) {
  const made = button({ className: isTapped ? 'wa-action is-tapped' : 'wa-action' }, onTap)
  made.append(icon(name), element('span', { text }))
  if (isTapped) made.setAttribute('aria-label', `${text}, chosen`)
  return made
}

/** Cards side by side; scrolled by touch, wheel and arrow keys. */
function carousel(message, { handlers }) {
  const cards = message.content.cards.map((each, card) =>
    element(
      'div',
      {
        className: 'wa-carousel-card',
        role: 'group',
        'aria-label': `Card ${card + 1} of ${message.content.cards.length}`,
      },
      ...(each.header ? [header(each.header)] : []),
      ...(each.body ? [element('p', { className: 'wa-text' }, ...formatted(each.body))] : []),
      element(
        'div',
        { className: 'wa-actions' },
        ...each.buttons.map((option, index) =>
          action(option.text, icons[option.kind] ?? 'list', {
            onTap: () => void handlers.tap(message, { ...option, index, card }),
          }),
        ),
      ),
    ),
  )
  return element('div', { className: 'wa-carousel', tabindex: 0, role: 'region', 'aria-label': 'Cards' }, ...cards)
}
