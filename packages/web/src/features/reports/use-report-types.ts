import { factsOfType, reportTypesFor, type ReportType } from '@carillon/contract/report-file-records'
import { Module } from '@carillon/contract/roles'
import { useUser } from '../../lib/session.ts'
import { useApi } from '../../lib/use-api.ts'
import type { SelectOption } from '../../ui/select.tsx'

const fiveMinutes = 300_000

/** The types that the account may request, as choices in their groups. If its modules are unknown, the server decides. */
export function useReportTypes(): readonly SelectOption<ReportType>[] {
  const role = useUser()?.type ?? 'user'
  const { data, error } = useApi('permissions.list', {}, { staleTime: fiveMinutes })
  const modules = error ? Module.options : (data?.modulePermissions ?? []).map(({ moduleName }) => moduleName)
  return choicesOf(reportTypesFor({ role, modules: new Set(modules) }))
}

/** Groups in the order of their first types. */
export function choicesOf(types: readonly ReportType[]): SelectOption<ReportType>[] {
  const groups = [...new Set(types.map((type) => factsOfType(type).group))]
  return groups.flatMap((group) =>
    types
      .filter((type) => factsOfType(type).group === group)
      .map((value) => ({ value, label: factsOfType(value).title, group })),
  )
}
