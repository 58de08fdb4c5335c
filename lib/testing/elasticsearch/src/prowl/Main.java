package prowl;

import java.nio.file.Files;
import java.nio.file.Path;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.TestNode;

/** Starts one node: arguments are an empty directory of its own and an HTTP port. It ends when its standard input does. */
public final class Main {
    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]);
        Path config = Files.createDirectories(home.resolve("config"));
        Settings settings = Settings.builder()
            .put("path.home", home)
            .put("node.name", "test")
            .put("cluster.name", "prowl-test")
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", arguments[1])
            .put("transport.port", "0")
            .put("http.type", "netty4")
            .put("transport.type", "netty4")
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .put("indices.breaker.total.use_real_memory", false)
            .build();
        LogConfigurator.loadLog4jPlugins();
        LogConfigurator.configureESLogging();
        LogConfigurator.configureWithoutConfig(settings);
        TestNode node = new TestNode(new Environment(settings, config));
        node.start();
        while (System.in.read() >= 0) {}
        Runtime.getRuntime().halt(0);
    }
}
