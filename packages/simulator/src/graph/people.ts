import { hashText } from '../random.ts'
import type { Meta } from './meta.ts'
import type { Person } from './objects.ts'

const firstNames = [
  'Asha',
  'Ravi',
  'Priya',
  'Imran',
  'Meera',
  'Arjun',
  'Kavya',
  'Joseph',
  'Neha',
  'Vikram',
  'Zoya',
  'Dev',
]
const lastNames = ['Sharma', 'Iyer', 'Khan', 'Patel', 'Thomas', 'Reddy', 'Bose', 'Singh', 'Nair', 'Das', 'Joshi']

/** People in the default state are not stored: a campaign may reach millions. */
export function readPerson(meta: Meta, waId: string): Person {
  return meta.people.get(waId) ?? strangerOf(waId)
}

export function savePerson(meta: Meta, waId: string): Person {
  const person = readPerson(meta, waId)
  meta.people.set(waId, person)
  return person
}

export function findByUserId(meta: Meta, userId: string): Person | undefined {
  for (const person of meta.people.values()) if (person.userId === userId) return person
  return undefined
}

function strangerOf(waId: string): Person {
  const hash = hashText(waId)
  return {
    waId,
    name: `${firstNames[hash % firstNames.length]} ${lastNames[(hash >>> 8) % lastNames.length]}`,
    userId: undefined,
    username: undefined,
    hidesNumber: false,
    isOnWhatsApp: true,
    readReceipts: true,
    blocked: new Set(),
    stopped: new Set(),
  }
}

/** The WhatsApp id of a dialled number: it differs in countries whose numbers gained or lost a digit. */
export function waIdOf(digits: string): string {
  const mexico = /^521(\d{10})$/.exec(digits)
  if (mexico) return `52${mexico[1]}`
  const brazil = /^55([3-9]\d)9(\d{8})$/.exec(digits)
  return brazil ? `55${brazil[1]}${brazil[2]}` : digits
}

/** Digits of a dialled number; a number without country code gets that of the business. */
export function dialledDigits(to: string, countryCode: string): string | undefined {
  if (!/^\+?[\d\s()-]+$/.test(to)) return undefined
  const digits = to.replaceAll(/\D/g, '')
  if (digits.length < 5 || digits.length > 17) return undefined
  return !to.startsWith('+') && digits.length <= 10 ? `${countryCode}${digits}` : digits
}
