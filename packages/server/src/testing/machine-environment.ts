/**
 * The variables that a child process needs from the machine; nothing else of the environment is passed on. The store of
 * compiled code halves the time until a process has started.
 */
export function machineEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'NODE_COMPILE_CACHE']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}
