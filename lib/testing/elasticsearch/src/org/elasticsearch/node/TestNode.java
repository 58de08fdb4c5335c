package org.elasticsearch.node;

import java.util.Map;
import java.util.Set;
import org.elasticsearch.env.Environment;
import org.elasticsearch.plugins.NettyOnly;
import org.elasticsearch.plugins.PluginsLoader;
import org.elasticsearch.plugins.PluginsService;

/** A whole node without modules: what makes one is visible in this package only. */
public final class TestNode extends Node {
    public TestNode(Environment environment) {
        super(NodeConstruction.prepareConstruction(
            environment,
            PluginsLoader.createPluginsLoader(Set.of(), Set.of(), Map.of(), false),
            new NodeServiceProvider() {
                @Override
                PluginsService newPluginService(Environment of, PluginsLoader loader) {
                    return new NettyOnly(of, loader);
                }
            },
            true
        ));
    }
}
