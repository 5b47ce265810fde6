import type { Person } from './customer-file.ts'

export type ReachFile = { csv: string; people: Person[]; reached: Person[]; unreached: Person[] }

const count = 1000
const names = ['Priya', 'Rohan', 'Ananya', 'Imran', 'Divya', 'Harpreet', 'Meera']

/** A file of 1,000 customers; every tenth number has a suffix without WhatsApp in the simulated Meta. */
export function reachFile(): ReachFile {
  const people = Array.from({ length: count }, (_, index): Person => {
    const last = isUnreached(index) ? '0026' : String(1100 + index)
    return {
      name: names[index % names.length] ?? '',
      phone: `98${String(10_000 + index).slice(1)}${last}`,
      order: `A-${4000 + index}`,
    }
  })
  return {
    csv: ['name,phone,order', ...people.map(({ name, phone, order }) => `${name},${phone},${order}`)].join('\n'),
    people,
    reached: people.filter((_, index) => !isUnreached(index)),
    unreached: people.filter((_, index) => isUnreached(index)),
  }
}

function isUnreached(index: number): boolean {
  return index % 10 === 9
}
