import type { RcsCarouselCard, RcsSuggestion, RcsTemplateInput } from '@carillon/contract/channels/rcs/rcs-templates'
import { emptyCard } from '../phone-message.ts'
import { postbackOf } from './suggestion-form.ts'

export type Starter = { title: string; note: string; input: Partial<RcsTemplateInput> }

const reply = (text: string): RcsSuggestion => ({ type: 'reply', text, postbackData: postbackOf(text) })
const open = (text: string, url: string): RcsSuggestion => ({
  type: 'open_url',
  text,
  postbackData: postbackOf(text),
  url,
  opensIn: 'browser',
})
const dial = (text: string): RcsSuggestion => ({
  type: 'dial',
  text,
  postbackData: postbackOf(text),
  phoneNumber: '+91 98765 43210',
})

type Product = { title: string; price: string; button: string; path: string }

function product(order: number, { title, price, button, path }: Product): RcsCarouselCard {
  return {
    ...emptyCard,
    order,
    cardTitle: title,
    cardDescription: price,
    suggestions: [open(button, `https://acme.in/${path}`)],
  }
}

/** Messages to begin with. Names, prices and addresses are examples to replace. */
export const starters: readonly Starter[] = [
  {
    title: 'Festive carousel',
    note: 'Three products and a reminder',
    input: {
      name: 'festive_carousel',
      type: 'carousel',
      category: 'PROMOTION',
      height: 'MEDIUM',
      width: 'MEDIUM',
      carouselList: [
        product(0, { title: 'Brass diyas', price: 'Set of six, from ₹499.', button: 'Shop diyas', path: 'diyas' }),
        product(1, { title: 'String lights', price: 'Ten metres, from ₹349.', button: 'Shop lights', path: 'lights' }),
        product(2, { title: 'Sweets', price: 'Kaju katli, from ₹299.', button: 'Shop sweets', path: 'sweets' }),
      ],
      suggestions: [reply('Remind me'), reply('Stop')],
    },
  },
  {
    title: 'Order shipped',
    note: 'A card with tracking and a call',
    input: {
      name: 'order_shipped',
      type: 'rich_card_standalone',
      category: 'TRANSACTION',
      height: 'SHORT',
      standAlone: {
        ...emptyCard,
        cardTitle: 'Order {{order}} has shipped',
        cardDescription: 'Hi {{name}}, it reaches you by {{date}}.',
        suggestions: [open('Track order', 'https://acme.in/t/{{order}}'), dial('Call us')],
      },
    },
  },
  {
    title: 'Appointment reminder',
    note: 'A card with replies',
    input: {
      name: 'appointment_reminder',
      type: 'rich_card_standalone',
      category: 'TRANSACTION',
      standAlone: {
        ...emptyCard,
        cardTitle: 'Your appointment on {{date}}',
        cardDescription: 'Hi {{name}}, we expect you at {{time}}.',
        suggestions: [reply('Confirm'), reply('Change time'), reply('Cancel')],
      },
    },
  },
  {
    title: 'Feedback',
    note: 'A text with three replies',
    input: {
      name: 'order_feedback',
      type: 'text_message',
      category: 'TRANSACTION',
      textMessageContent: 'Hi {{name}}, how was your order {{order}}?',
      suggestions: [reply('Good'), reply('Could be better'), reply('Contact me')],
    },
  },
  {
    title: 'One-time code',
    note: 'A short text, charged as basic',
    input: {
      name: 'one_time_code',
      type: 'text_message',
      category: 'AUTHENTICATION',
      textMessageContent: '{{code}} is your Acme code. It expires in 10 minutes. Do not share it.',
      suggestions: [],
    },
  },
]
