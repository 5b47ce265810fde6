/** Throws this problem if a write violates a unique constraint. */
export async function refuseDuplicate(writing: Promise<unknown>, problem: Error): Promise<void> {
  try {
    await writing
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === '23505' ? problem : error
  }
}
