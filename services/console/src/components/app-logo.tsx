// The logo of an app, or its first letter where there is none.

/** `src`: path on this origin, or of a file that was chosen. `size` in pixels. Decoration: the name stands beside it. */
export function AppLogo({ src, name, size = 32 }: { src: string | null; name: string; size?: number }) {
  if (src !== null) return <img className="wds-logo" src={src} alt="" width={size} height={size} />
  return (
    <svg className="wds-logo" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <text x="16" y="21.5" textAnchor="middle" fontSize="15" fontWeight="600" fill="currentColor">
        {[...name.trim()][0]?.toUpperCase() ?? '?'}
      </text>
    </svg>
  )
}
