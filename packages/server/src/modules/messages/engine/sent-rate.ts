/** Parts sent in the last full second. */
export function createStopwatch(now: () => number = () => performance.now()) {
  let second = Math.floor(now() / 1000)
  let current = 0
  let last = 0

  function turn() {
    const present = Math.floor(now() / 1000)
    if (present === second) return
    last = present === second + 1 ? current : 0
    current = 0
    second = present
  }

  return {
    add(parts: number) {
      turn()
      current += parts
    },
    lastSecond(): number {
      turn()
      return last
    },
  }
}
