import { truncate } from '@carillon/contract/text'
import { CallError } from '../../../lib/call.ts'

const mostAttempts = 5

type Attempt = { name: string; /** 1 for the first attempt. */ attempt: number }

/** Creates a template with a name, or with a number after it while other templates have the name. */
export async function createWithFreeName<Created>(
  name: string,
  create: (attempt: Attempt) => Promise<Created>,
): Promise<Created> {
  for (let attempt = 1; attempt < mostAttempts; attempt += 1) {
    try {
      return await create({ name: numbered(name, attempt), attempt })
    } catch (error) {
      if (!isNameTaken(error)) throw error
    }
  }
  return create({ name: numbered(name, mostAttempts), attempt: mostAttempts })
}

/** Within the shortest limit of a template's name. */
function numbered(name: string, attempt: number): string {
  return attempt === 1 ? truncate(name, 80) : `${truncate(name, 77)}_${attempt}`
}

function isNameTaken(error: unknown): boolean {
  return error instanceof CallError && error.details.some(({ field }) => field === 'name')
}
