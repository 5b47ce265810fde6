/** Waits for a condition; fails with its name after thirty seconds or the given time. */
export async function until(
  check: () => Promise<boolean> | boolean,
  what = 'the condition',
  longestMs = 30_000,
): Promise<void> {
  const deadline = Date.now() + longestMs
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
