import { AccountSetting } from "#extension/auth/account-setting.tsx";
import { OptionsScreen } from "#extension/ui/options-screen.tsx";
import { renderView } from "#extension/ui/render-view.tsx";

renderView(<OptionsScreen account={<AccountSetting />} />);
