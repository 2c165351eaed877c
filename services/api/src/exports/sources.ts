// What can be exported, each type by its name (domain.md 3.12).
import type { ExportType } from './domain/export.ts'
import { invoicesExport } from './export-invoices.ts'
import type { ExportSource } from './export-source.ts'
import { statsExport } from './export-stats.ts'

export const exportSources: Record<ExportType, ExportSource> = { stats: statsExport, invoices: invoicesExport }
