import { LOGO_PATH } from '../../logo/sign.ts'
import styles from './logo.module.css'

/** @param size in pixels */
export const Logo = ({ size }: { size: number }) => (
  <svg className={styles['logo']} width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden>
    <path d={LOGO_PATH} stroke="#fff" strokeWidth="3.6" strokeLinecap="round" strokeLinejoin="round" />
  </svg>
)
