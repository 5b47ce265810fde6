import { useNavigate } from '@tanstack/react-router'
import { useAreaAddress } from '../../ui/area-link.tsx'

/** Goes to a path inside the area. */
export function useGoTo(): (path: string) => void {
  const navigate = useNavigate()
  const addressOf = useAreaAddress()
  return (path) => void navigate({ to: addressOf(path) })
}
