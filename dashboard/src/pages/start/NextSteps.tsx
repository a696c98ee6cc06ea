import { InviteForm } from '../../app/InviteForm.tsx'
import { useOrg } from '../../app/use-role.ts'
import { attestCode } from '../../decisions/attest-code.ts'
import { CopyLine, Link } from '../../ui/index.ts'
import styles from './start.module.css'

export function NextSteps({ workspaceId }: { readonly workspaceId: string }) {
  return (
    <section aria-labelledby="next-steps">
      <h2 id="next-steps">Then</h2>
      <div className={styles.next}>
        <div>
          <h3>Attest a tool</h3>
          <p>
            Attest that the result of a tool depends only on its input. Its calls are then measured in shadow, and are
            served from stored results once a rule is proven.
          </p>
          <CopyLine text={attestCode()} label="Attesting a tool" />
        </div>
        <div>
          <h3>Invite a colleague</h3>
          <InviteForm org={useOrg(workspaceId)} />
        </div>
        <div>
          <h3>Look at findings</h3>
          <p>
            Repeated calls, unread results, retry loops and missed prompt caches are found in your traces, each with its
            price a month. The <Link to="/w/$workspace_id/findings">list of findings</Link> begins with the highest
            cost.
          </p>
        </div>
      </div>
    </section>
  )
}
