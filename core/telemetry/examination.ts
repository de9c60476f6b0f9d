import { well, wrong, type Examination } from '../api/points.ts'

export const telemetryExamination: Examination = {
  part: 'telemetry',
  async examine() {
    const { telemetryModules, TELEMETRY_NOT_INSTALLED } = await import('./installed.ts')
    if (telemetryModules() === undefined) return [wrong(TELEMETRY_NOT_INSTALLED)]
    return [well('The packages of OpenTelemetry are installed.')]
  }
}
