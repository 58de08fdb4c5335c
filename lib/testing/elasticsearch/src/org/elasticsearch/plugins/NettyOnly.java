package org.elasticsearch.plugins;

import java.util.List;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.transport.netty4.Netty4Plugin;

/** One plugin from the class path, the HTTP and transport server, where a distribution loads its folders. */
public final class NettyOnly extends PluginsService {
    private final List<LoadedPlugin> loaded;

    public NettyOnly(Environment environment, PluginsLoader loader) {
        super(environment.settings(), environment.configDir(), loader);
        Class<?> plugin = Netty4Plugin.class;
        var descriptor = new PluginDescriptor(
            plugin.getSimpleName(), "HTTP and transport", "1", "1", "21", plugin.getName(), null,
            List.of(), false, false, false, false
        );
        loaded = List.of(new LoadedPlugin(descriptor, new Netty4Plugin(), plugin.getClassLoader()));
    }

    /** The constructor above reads it before `loaded` is there. */
    @Override
    protected List<LoadedPlugin> plugins() {
        return loaded == null ? List.of() : loaded;
    }
}
