/** A row of the palette, and the heading of a group. */
export const paletteLine =
  'flex min-h-10 cursor-default items-center gap-2 rounded-md px-2 whitespace-nowrap select-none data-[selected=true]:bg-accent [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted-foreground'
export const paletteGroup =
  '[&>[cmdk-group-heading]]:px-2 [&>[cmdk-group-heading]]:pt-2 [&>[cmdk-group-heading]]:pb-1 [&>[cmdk-group-heading]]:text-caption [&>[cmdk-group-heading]]:font-medium [&>[cmdk-group-heading]]:text-muted-foreground'
