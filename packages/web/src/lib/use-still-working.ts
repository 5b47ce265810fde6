import { useEffect, useState } from 'react'
import { stillWorkingMs } from './constants.ts'

/** True once an operation has taken ten seconds. */
export function useStillWorking(isBusy: boolean): boolean {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isBusy) return undefined
    const timer = setTimeout(() => setLong(true), stillWorkingMs)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isBusy])
  return isLong
}
