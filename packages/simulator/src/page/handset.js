/** The simulated phones: a list, and one open phone with its conversations, where the user can reply. */
import { at, button, element, pretty, read, time } from './dom.js'
import { listenToRcs, showRcs } from './rcs.js'
import { listenToSms, noteSms, showSms } from './sms.js'
import { listenToWhatsapp, showWhatsapp } from './whatsapp.js'

const shown = { number: '', thread: '', pages: 1, person: undefined, rcs: undefined, messages: [] }

let latestList = 0

/** Responses may arrive out of order: only the one of the latest request is shown. */
async function showNumbers() {
  latestList += 1
  const request = latestList
  const query = at('search').value.trim()
  const pages = Array.from({ length: shown.pages }, (_, index) =>
    read(`/api/numbers?page=${index + 1}&query=${encodeURIComponent(query)}`),
  )
  const lists = (await Promise.all(pages)).filter(Boolean)
  if (request !== latestList) return
  drawNumbers(
    lists.flatMap((list) => list.numbers),
    query,
  )
  at('more').hidden = (lists[0]?.totalPages ?? 0) <= shown.pages
}

function drawNumbers(numbers, query) {
  const hasNone = numbers.length === 0 && query === ''
  const focused = document.activeElement?.dataset?.number
  at('numbers').replaceChildren(...(numbers.length > 0 || hasNone ? numbers.map(row) : [nothingFound(query)]))
  if (focused) at('numbers').querySelector(`[data-number="${focused}"]`)?.focus()
  at('invitation').textContent = hasNone ? 'No message yet' : 'Select a phone to read and reply'
  document.querySelector('.phones').classList.toggle('has-none', hasNone)
}

/** A number that has received nothing can be opened too: a person may send the first message. */
function nothingFound(query) {
  const digits = query.replaceAll(/\D/g, '')
  const words = element('li', { className: 'none', text: `Nothing found for “${query}”` })
  if (digits.length >= 8)
    words.append(button({ className: 'plain', text: `Open ${pretty(digits)}` }, () => open(digits)))
  return words
}

function row({ number, unread, last }) {
  const count = unread > 0 ? element('span', { className: 'count', text: unread > 99 ? '99+' : String(unread) }) : ''
  const channel = channelLabel(last.channel)
  const words = `${last.direction === 'replied' ? 'Reply: ' : ''}${last.text}`
  const made = button(
    {
      className: unread > 0 ? 'row unread' : 'row',
      'data-number': number,
      'aria-current': String(number === shown.number),
    },
    () => open(number),
  )
  made.append(
    element('b', { text: pretty(number) }),
    element('time', { text: time.format(new Date(last.at)) }),
    element('span', { className: 'last' }, channel, words),
    count,
  )
  return element('li', {}, made)
}

function channelLabel(channel) {
  if (channel === 'whatsapp') return element('i', { className: 'channel', text: 'WhatsApp' })
  return channel === 'rcs' ? element('i', { className: 'channel rcs-channel', text: 'RCS' }) : ''
}

function open(number) {
  shown.number = number
  shown.thread = ''
  location.hash = number
  at('empty').hidden = number !== ''
  at('phone').hidden = number === ''
  document.querySelector('.phones').classList.toggle('is-open', number !== '')
  noteSms('')
  void showPhone({ isNew: true }).then(showNumbers)
}

async function showPhone({ isNew }) {
  const { number } = shown
  if (number === '') return
  const [phone, person, rcs] = await Promise.all([
    read(`/api/numbers/${number}/messages?read=1`),
    read(`/api/graph/people/${number}`),
    read(`/api/rbm/people/${number}`),
  ])
  if (number !== shown.number) return
  const { received, messages } = phone ?? { received: 0, messages: [] }
  at('number').textContent = pretty(number)
  at('summary').textContent = received === 1 ? '1 message received' : `${received.toLocaleString()} messages received`
  Object.assign(shown, { person, rcs, messages })
  showThreads()
  showThread(isNew)
}

/** SMS, each business with a conversation on WhatsApp or RCS, and a way to start others. */
function showThreads() {
  const { messages } = shown
  const peers = new Set(messages.filter(({ channel }) => channel !== 'sms').map(({ peer }) => peer))
  const last = messages.at(-1)
  if (shown.thread === '') shown.thread = !last || last.channel === 'sms' ? 'sms' : last.peer
  const known = businesses()
  const inTouch = known.filter(({ id }) => peers.has(id) || id === shown.thread)
  const others = known.filter((each) => !inTouch.includes(each))
  const focused = document.activeElement?.dataset?.thread
  at('threads').replaceChildren(
    threadButton({ id: 'sms', name: 'SMS', channel: 'sms' }),
    ...inTouch.map(threadButton),
    ...(others.length > 0 ? [chatStarter(others)] : []),
  )
  if (focused) at('threads').querySelector(`[data-thread="${focused}"]`)?.focus()
}

/** Everybody who has an account on WhatsApp or RCS. */
function businesses() {
  const numbers = shown.person?.numbers ?? []
  const agents = shown.rcs?.agents ?? []
  return [
    ...numbers.map(({ id, name, displayPhoneNumber }) => ({
      id,
      name,
      about: displayPhoneNumber,
      channel: 'whatsapp',
    })),
    ...agents.map(({ id, name }) => ({ id, name, about: 'RCS', channel: 'rcs' })),
  ]
}

const threadLabels = {
  sms: (name) => name,
  whatsapp: (name) => `WhatsApp with ${name}`,
  rcs: (name) => `RCS with ${name}`,
}

function threadButton({ id, name, channel }) {
  const options = {
    text: name,
    'aria-label': threadLabels[channel](name),
    'aria-pressed': String(id === shown.thread),
    'data-thread': id,
  }
  return button({ className: channel === 'sms' ? '' : `${channel}-thread`, ...options }, () => openThread(id))
}

function chatStarter(others) {
  const select = element(
    'select',
    { 'aria-label': 'Write to another business' },
    new Option('New chat', ''),
    ...others.map(({ id, name, about }) => new Option(`${name} · ${about}`, id)),
  )
  select.addEventListener('change', () => openThread(select.value))
  return select
}

function openThread(thread) {
  shown.thread = thread
  showThreads()
  showThread(true)
  at('threads').querySelector(`[data-thread="${thread}"]`)?.focus()
}

function showThread(isNew) {
  const { thread, number, person } = shown
  const business = person?.numbers.find(({ id }) => id === thread)
  const agent = shown.rcs?.agents.find(({ id }) => id === thread)
  at('sms').hidden = thread !== 'sms'
  at('whatsapp').hidden = !business
  at('rcs').hidden = !agent
  const of = (wanted) => shown.messages.filter(({ channel, peer }) => channel === wanted && peer === thread)
  if (business) showWhatsapp({ number, person, business, messages: of('whatsapp'), isNew })
  else if (agent) showRcs({ number, device: shown.rcs, agent, messages: of('rcs'), isNew })
  else
    showSms(
      shown.messages.filter(({ channel }) => channel === 'sms'),
      isNew,
    )
}

function showTotals({ received, numbers }) {
  at('totals').textContent =
    received === 0 ? '' : `${received.toLocaleString()} received on ${numbers.toLocaleString()}`
}

at('search').addEventListener('input', () => {
  shown.pages = 1
  void showNumbers()
})
at('more').addEventListener('click', () => {
  shown.pages += 1
  void showNumbers()
})
at('back').addEventListener('click', () => open(''))
listenToSms(() => shown.number)
listenToWhatsapp(() => showPhone({ isNew: false }))
listenToRcs(() => showPhone({ isNew: false }))

const events = new EventSource('/events')
events.addEventListener('message', (event) => {
  const { numbers, totals } = JSON.parse(event.data)
  showTotals(totals)
  void (numbers.includes(shown.number) ? showPhone({ isNew: false }) : Promise.resolve()).then(showNumbers)
})
events.addEventListener('open', () => void showAll())

/** Reads everything once after the event stream reconnects. */
async function showAll() {
  const totals = await read('/api/stats')
  if (totals) showTotals(totals)
  await showPhone({ isNew: false })
  await showNumbers()
}

at('example').textContent =
  `curl -u carillon:simulator ${location.origin}/gateway/send \\\n  -H 'content-type: application/json' \\\n  -d '{"to":"+919812345678","from":"ACMESH","text":"Hello"}'`
window.addEventListener('hashchange', () => {
  const number = /^#(\d+)$/.exec(location.hash)?.[1] ?? ''
  if (number !== shown.number) open(number)
})
if (/^#\d+$/.test(location.hash)) open(location.hash.slice(1))
else void showNumbers()
