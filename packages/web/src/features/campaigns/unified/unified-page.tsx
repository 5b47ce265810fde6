export function UnifiedPage() {
  return null
}
