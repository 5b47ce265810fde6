import type { CustomerFile } from '../support/customer-file.ts'

/** A small customer file without errors: everyone is reached. */
export function shopFile(): CustomerFile {
  const people = Array.from({ length: 120 }, (_, index) => ({
    name: `Neighbour ${index + 1}`,
    phone: String(9_720_001_100 + index),
    order: `T-${700 + index}`,
  }))
  const lines = ['name,phone,order', ...people.map(({ name, phone, order }) => `${name},${phone},${order}`)]
  return { csv: lines.join('\n'), rows: people.length, valid: people.length, duplicate: 0, invalid: 0, people }
}
