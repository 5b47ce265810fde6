import { at, button, element, icon, isScrolledDown, post, settle, toBase64, withDays } from './dom.js'
import { bubble } from './whatsapp-bubble.js'

/** A conversation with a business as its customer sees it: without ticks, which only the business sees. */
const chat = { number: '', business: undefined, quotes: '', drawn: new Map() }

const way = (action) => `/api/graph/people/${chat.number}/${action}`

export function showWhatsapp({ number, person, business, messages, isNew }) {
  if (number !== chat.number || business.id !== chat.business?.id) startChat(number, business)
  chat.business = business
  showHead(person, business)
  const thread = at('wa-thread')
  const isAtEnd = isNew || isScrolledDown(thread)
  const reactions = collectReactions(messages)
  const taps = new Set(messages.map(({ content }) => content?.tapped && `${content.quotes} ${content.tapped}`))
  const spoken = messages.filter(({ content }) => content && content.type !== 'reaction')
  settle(
    thread,
    withDays(spoken, (message) => drawOnce(message, { messages, taps, reactions: reactions.get(message.id) })),
  )
  if (isAtEnd) thread.scrollTop = thread.scrollHeight
  void readWhatIsSeen(messages)
}

function startChat(number, business) {
  Object.assign(chat, { number, business, drawn: new Map() })
  quote(undefined)
  say('')
  at('wa-menu').open = false
}

function showHead(person, business) {
  const isBlocked = person.blocked.includes(business.id)
  at('wa-name').textContent = business.name
  at('wa-about').textContent = business.isTyping ? 'typing…' : `Business account · ${business.displayPhoneNumber}`
  const picture = business.picture ? element('img', { src: business.picture, alt: '' }) : business.name.slice(0, 1)
  at('wa-picture').replaceChildren(picture)
  at('wa-receipts').checked = person.readReceipts
  at('wa-block').textContent = isBlocked ? 'Unblock' : 'Block'
  at('wa-marketing').textContent = person.stopped.includes(business.wabaId) ? 'Resume marketing' : 'Stop marketing'
  at('wa-blocked').hidden = !isBlocked
  at('wa-form').hidden = isBlocked
}

/** The last reaction of each side to each message; an empty one removes it. */
function collectReactions(messages) {
  const byMessage = new Map()
  for (const { content, direction } of messages) {
    if (content?.type !== 'reaction') continue
    const { messageId, emoji } = content.reaction
    const both = byMessage.get(messageId) ?? {}
    byMessage.set(messageId, { ...both, [direction === 'replied' ? 'mine' : 'theirs']: emoji })
  }
  return byMessage
}

/** A bubble is rendered again only if it has changed. */
function drawOnce(message, context) {
  const tapped = [...context.taps].filter((tap) => tap?.startsWith(`${message.id} `))
  const state = JSON.stringify([context.reactions, tapped])
  const known = chat.drawn.get(message.sequence)
  if (known?.state === state) return known.node
  const node = bubble(message, { ...context, name: chat.business.name, handlers })
  chat.drawn.set(message.sequence, { state, node })
  return node
}

async function readWhatIsSeen(messages) {
  if (document.visibilityState !== 'visible' || !messages.some(({ direction }) => direction === 'received')) return
  await post(way('read'), { phoneNumberId: chat.business.id })
}

const handlers = {
  async tap(message, { index, card, row, kind, text, url, code, phoneNumber }) {
    const where = row === undefined ? { button: index, card } : { row }
    const said = await post(way('tap'), { messageId: message.id, ...where })
    if (said.error) return say(said.error, true)
    if (kind === 'url' && url) window.open(url, '_blank', 'noopener,noreferrer')
    else if (kind === 'phone_number') say(`Calling ${phoneNumber}`)
    else if (code) await copy(code)
    else say(row === undefined ? '' : `Selected ${text}`)
  },
  react: (message) => askForReaction(message),
  quote: (message) => quote(message),
  choose: (message, title, choices) => choose(message, title, choices),
}

async function copy(code) {
  try {
    await navigator.clipboard.writeText(code)
    say(`Copied ${code}`)
  } catch {
    say(`The code is ${code}`)
  }
}

const emojis = ['👍', '❤️', '😂', '😮', '😢', '🙏']

function askForReaction(message) {
  const give = async (emoji) => {
    at('wa-dialog').close()
    const said = await post(way('react'), { messageId: message.id, emoji })
    if (said.error) say(said.error, true)
  }
  showDialog('React', [
    element(
      'div',
      { className: 'wa-emojis' },
      ...emojis.map((emoji) => button({ text: emoji, 'aria-label': `React with ${emoji}` }, () => void give(emoji))),
    ),
    button({ className: 'wa-choice', text: 'No reaction' }, () => void give('')),
  ])
}

/** A bottom sheet: the rows of a list, or all buttons of a message. */
function choose(message, title, groups) {
  const choice = (option) => {
    const made = button({ className: 'wa-choice' }, () => {
      at('wa-dialog').close()
      void handlers.tap(message, option)
    })
    made.append(element('b', { text: option.text }))
    if (option.description) made.append(element('small', { text: option.description }))
    return made
  }
  showDialog(
    title,
    groups.flatMap(({ title: group, options }) => [
      ...(group ? [element('h4', { text: group })] : []),
      ...options.map(choice),
    ]),
  )
}

function showDialog(title, nodes) {
  at('wa-dialog-title').textContent = title
  at('wa-dialog-body').replaceChildren(...nodes)
  at('wa-dialog').showModal()
}

function quote(message) {
  chat.quotes = message?.id ?? ''
  at('wa-quote').hidden = !message
  if (!message) return
  at('wa-quoted').textContent = message.text
  at('wa-text').focus()
}

async function write(message) {
  const context = chat.quotes === '' ? {} : { context: { id: chat.quotes } }
  const said = await post(way('messages'), { phoneNumberId: chat.business.id, ...message, ...context })
  if (said.error) return say(said.error, true)
  say('')
  quote(undefined)
  at('wa-text').value = ''
  at('wa-thread').scrollTop = at('wa-thread').scrollHeight
}

async function writeText(text) {
  if (text.trim() !== '') await write({ type: 'text', text: { body: text } })
}

const mostPicture = 5 * 1024 * 1024

async function sendPicture(file) {
  if (!file) return
  if (file.size > mostPicture) return say('Images can have at most 5 MB', true)
  const bytes = await toBase64(file)
  const caption = at('wa-text').value.trim()
  await write({ type: 'image', image: { bytes, mime_type: file.type, ...(caption ? { caption } : {}) } })
  at('wa-file').value = ''
}

function say(text, isBad = false) {
  at('wa-note').textContent = text
  at('wa-note').classList.toggle('bad', isBad)
}

export function listenToWhatsapp(refresh) {
  const change = async (action, body) => {
    at('wa-menu').open = false
    const said = await post(action, body)
    if (said.error) say(said.error, true)
    await refresh()
  }
  at('wa-form').addEventListener('submit', (event) => {
    event.preventDefault()
    void writeText(at('wa-text').value)
  })
  at('wa-text').addEventListener('keydown', (event) => {
    if (event.key === 'Escape') quote(undefined)
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    void writeText(at('wa-text').value)
  })
  at('wa-file').addEventListener('change', (event) => void sendPicture(event.target.files[0]))
  at('wa-attach').addEventListener('click', () => at('wa-file').click())
  at('wa-unquote').addEventListener('click', () => quote(undefined))
  at('wa-stop').addEventListener('click', () => void writeText('STOP'))
  at('wa-close').addEventListener('click', () => at('wa-dialog').close())
  at('wa-dialog').addEventListener('click', (event) => {
    if (event.target === at('wa-dialog')) at('wa-dialog').close()
  })
  at('wa-receipts').addEventListener(
    'change',
    (event) => void change(`/api/graph/people/${chat.number}`, { readReceipts: event.target.checked }),
  )
  at('wa-block').addEventListener(
    'click',
    () =>
      void change(way('block'), { phoneNumberId: chat.business.id, isBlocked: at('wa-block').textContent === 'Block' }),
  )
  at('wa-marketing').addEventListener(
    'click',
    () =>
      void change(way('preference'), {
        phoneNumberId: chat.business.id,
        value: at('wa-marketing').textContent === 'Stop marketing' ? 'stop' : 'resume',
      }),
  )
  // Typing indicators are no messages, so they are polled while a conversation is open.
  setInterval(() => {
    if (!at('whatsapp').hidden && !at('phone').hidden && document.visibilityState === 'visible') void refresh()
  }, 2500)
  at('wa-attach').append(icon('image'))
}
