import { Link, useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { Ellipsis, PanelsTopLeft, Plus } from "lucide-react";
import { useEffect, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import type { WebsiteProject } from "#shared/website/schema.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { DeleteProjectDialog, RenameProjectDialog } from "./parts/project-dialogs.tsx";
import { createProject, loadProjects, projectsAtom } from "./state.ts";
import "./websites-screen.css";

export function WebsitesScreen() {
  const projects = useAtomValue(projectsAtom);
  const accountId = useAtomValue(accountIdAtom);
  const { create, isCreating } = useCreateProject();
  useEffect(() => {
    if (accountId !== undefined) void loadProjects();
  }, [accountId]);
  const button = (
    <Button variant="primary" icon={<Plus aria-hidden />} pending={isCreating} onClick={create}>
      {t("website.new")}
    </Button>
  );
  const isEmpty = projects.state === "ready" && projects.projects.length === 0;
  return (
    <div className="websites">
      <header className="websites-head">
        <div>
          <h1>{t("website.title")}</h1>
          <p>{t("website.about")}</p>
        </div>
        {!isEmpty && button}
      </header>
      {projects.state === "loading" && <Skeleton label={t("common.loading")} lines={[100, 100, 100]} height={44} />}
      {projects.state === "failed" && (
        <ErrorState
          title={t("website.failed_title")}
          action={<Button onClick={() => void loadProjects()}>{t("common.retry")}</Button>}
        >
          {t("website.failed_text")}
        </ErrorState>
      )}
      {isEmpty && (
        <EmptyState title={t("website.empty_title")} action={button}>
          {t("website.empty_text")}
        </EmptyState>
      )}
      {projects.state === "ready" && !isEmpty && <ProjectList projects={projects.projects} />}
    </div>
  );
}

function useCreateProject() {
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const create = async () => {
    setCreating(true);
    const id = await createProject();
    setCreating(false);
    if (id !== undefined) await navigate({ to: screenPath("website", { id }) });
  };
  return { isCreating, create: () => void create() };
}

function ProjectList({ projects }: { projects: readonly WebsiteProject[] }) {
  const now = useNow();
  const [projectToRename, setProjectToRename] = useState<WebsiteProject>();
  const [projectToDelete, setProjectToDelete] = useState<WebsiteProject>();
  return (
    <>
      <ul role="list" className="websites-list">
        {projects.map((project) => {
          const name = project.name || t("website.untitled");
          return (
            <li key={project._id}>
              <PanelsTopLeft aria-hidden />
              <Link to={screenPath("website", { id: project._id })} dir="auto">
                {name}
              </Link>
              <span className="websites-when">
                {t("website.changed", { when: formatRelativeDate(project.updatedAt, now) })}
              </span>
              <Menu
                trigger={<IconButton label={t("website.actions", { name })} icon={<Ellipsis aria-hidden />} />}
                groups={[
                  [{ label: t("website.rename"), onSelect: () => setProjectToRename(project) }],
                  [{ label: t("website.delete"), danger: true, onSelect: () => setProjectToDelete(project) }],
                ]}
              />
            </li>
          );
        })}
      </ul>
      {projectToRename && (
        <RenameProjectDialog project={projectToRename} onClose={() => setProjectToRename(undefined)} />
      )}
      {projectToDelete && (
        <DeleteProjectDialog project={projectToDelete} onClose={() => setProjectToDelete(undefined)} />
      )}
    </>
  );
}
