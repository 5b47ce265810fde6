/** A hash map from phone number to the first row that has it. Open addressing over two typed arrays: 20 to 40 bytes per number, no objects. */
export type PhoneSet = {
  /** Returns the earlier row with this number, or 0 after adding it. */
  remember(phone: number, row: number): number
  size(): number
}

const fullest = 0.6

export function createPhoneSet(expected = 1024): PhoneSet {
  let capacity = 1 << Math.ceil(Math.log2(Math.max(16, expected / fullest)))
  let phones = new Float64Array(capacity)
  let rows = new Uint32Array(capacity)
  let count = 0

  function slotOf(phone: number): number {
    // Hashes both halves of the number, so that consecutive numbers, common in files, are spread.
    const low = phone >>> 0
    const high = (phone / 4_294_967_296) >>> 0
    let slot = (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) >>> 0
    slot = (slot ^ (slot >>> 15)) & (capacity - 1)
    while (phones[slot] !== 0 && phones[slot] !== phone) slot = (slot + 1) & (capacity - 1)
    return slot
  }

  function grow() {
    const before = { phones, rows }
    capacity *= 2
    phones = new Float64Array(capacity)
    rows = new Uint32Array(capacity)
    for (let index = 0; index < before.phones.length; index += 1) {
      const phone = before.phones[index] ?? 0
      if (phone === 0) continue
      const slot = slotOf(phone)
      phones[slot] = phone
      rows[slot] = before.rows[index] ?? 0
    }
  }

  return {
    remember(phone, row) {
      const slot = slotOf(phone)
      if (phones[slot] === phone) return rows[slot] ?? 0
      phones[slot] = phone
      rows[slot] = row
      count += 1
      if (count > capacity * fullest) grow()
      return 0
    },
    size: () => count,
  }
}
